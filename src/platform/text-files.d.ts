declare module "*.sql" {
  const text: string
  export default text
}

declare module "*.ndjson" {
  const text: string
  export default text
}

declare module "*.css" {
  const text: string
  export default text
}

declare module "*.svg" {
  const text: string
  export default text
}

declare module "*.md" {
  const text: string
  export default text
}

declare module "*.php" {
  const text: string
  export default text
}

declare module "*.woff2" {
  const path: string
  export default path
}

declare module "*.tgz" {
  const path: string
  export default path
}
