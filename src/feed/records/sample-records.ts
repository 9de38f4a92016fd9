/** One complete record of each type: every member that may be filled in or named in a placeholder. */

const files = "https://files.example.com"

export const sampleRecords = {
  account: {
    type: "account",
    username: "elif",
    email: "elif@example.com",
    name: { firstname: "Elif", lastname: "Yılmaz", full_name: "Elif Yılmaz" },
    balance: 120.5,
    currency: "USD",
    profile: {
      heading: "Themes",
      description: "Themes and plugins",
      contact: { email: "support@example.com" },
      social_links: {},
      media: { avatar: `${files}/avatar.png`, cover: `${files}/cover.png` },
    },
    registered_at: "2024-04-27T12:00:00Z",
  },
  item: {
    type: "item",
    author: "elif",
    id: 1229,
    name: "Theme",
    description: "A theme",
    category: "Themes",
    sub_category: "WordPress",
    options: ["Documentation"],
    version: "1.4.0",
    demo_link: "https://demo.example.com/",
    tags: ["wordpress"],
    media: {
      thumbnail: `${files}/thumbnail.png`,
      preview_image: `${files}/preview.png`,
      screenshots: [`${files}/1.png`],
    },
    price: { regular: 19.99, extended: 199 },
    currency: "USD",
    published_at: "2024-05-01T08:30:00Z",
    hidden: false,
  },
  purchase: {
    type: "purchase",
    purchase_code: "9f1c-7a",
    item_id: 1229,
    license_type: "Regular",
    price: 19.99,
    currency: "USD",
    supported_until: "2026-01-02T03:04:05Z",
    downloaded: false,
    date: "2025-01-02T03:04:05Z",
    buyer: "deniz",
  },
} as const

export type FilledType = keyof typeof sampleRecords
