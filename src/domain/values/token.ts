/** Random tokens that a browser or a link carries. The store keeps their digests. */
export interface TokenMaker {
  create(): string
  digest(token: string): Uint8Array
}
