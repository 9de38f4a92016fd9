export const status = {
  title: "Status",
}
