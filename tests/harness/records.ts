/** Valid records of a feed. Tests override fields. */

export type Line = Record<string, unknown>

export const account = (username: string, changes: Line = {}): Line => ({
  type: "account",
  username,
  email: `${username}@example.com`,
  name: { firstname: "Ada", lastname: "Yılmaz", full_name: "Ada Yılmaz" },
  balance: 120.5,
  currency: "USD",
  profile: {
    heading: "Temalar",
    description: "Themes & more",
    contact: { email: "support@example.com" },
    social_links: { facebook: "https://facebook.com/ada", x: "https://x.com/ada" },
    media: {
      avatar: "https://files.example.com/avatar.png",
      cover: "https://files.example.com/cover.png",
    },
  },
  registered_at: "2024-04-27T12:00:00Z",
  ...changes,
})

export const plainMedia = {
  thumbnail: "https://files.example.com/thumbnail.png",
  preview_image: "https://files.example.com/preview.png",
}
export const audioMedia = {
  thumbnail: "https://files.example.com/thumbnail.png",
  preview_audio: "https://files.example.com/preview.mp3",
}
export const videoMedia = {
  ...plainMedia,
  preview_video: "https://files.example.com/preview.mp4",
  screenshots: ["https://files.example.com/1.png"],
}

export const item = (author: string, id: number, changes: Line = {}): Line => ({
  type: "item",
  author,
  id,
  name: `Ürün ${id}`,
  description: "Bir tema",
  category: "Themes",
  sub_category: "WordPress",
  options: ["Documentation"],
  version: "1.4.0",
  demo_link: "https://demo.example.com/",
  tags: ["wordpress", "türkçe"],
  media: plainMedia,
  price: { regular: 19.99, extended: 199 },
  currency: "USD",
  published_at: "2024-05-01T08:30:00Z",
  ...changes,
})

export const purchase = (code: string, itemId: number, changes: Line = {}): Line => ({
  type: "purchase",
  purchase_code: code,
  item_id: itemId,
  license_type: "Regular",
  price: 19.99,
  currency: "USD",
  downloaded: false,
  date: "2025-01-02T03:04:05Z",
  ...changes,
})

export const toFeed = (lines: readonly Line[]) =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("")
