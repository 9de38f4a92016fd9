/** The logo, a market stall's awning, and the icons. Each is beside a word. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
    <path
      class="mark-cloth"
      d="M4 6h24l2 8a4 4 0 0 1-7 2.6A4.6 4.6 0 0 1 16 17a4.6 4.6 0 0 1-7-.4A4 4 0 0 1 2 14z"
    />
    <path
      class="mark-stripe"
      d="M11.4 6h4.6v11a4.6 4.6 0 0 1-7-.4zM20.6 6H28l2 8a4 4 0 0 1-7 2.6z"
    />
    <path class="mark-stall" d="M5 19h22v8H5z" />
  </svg>
)

const paths = {
  overview: "M4 13h6V4H4zm0 7h6v-5H4zm10 0h6v-9h-6zm0-16v5h6V4z",
  items: "M4 5h16v4H4zm0 6h7v8H4zm9 0h7v8h-7z",
  check: "M9.5 16.2 5.3 12l-1.4 1.4 5.6 5.6 12-12-1.4-1.4z",
  keys: "M15 3a6 6 0 1 1-4.4 10L8 15.6V18H5.6L4 20H2v-3l7.4-7.4A6 6 0 0 1 15 3zm1.5 3a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M14 4v6M6 14v6",
  docs: "M6 3h9l4 4v14H6zM14 3v5h5",
  traffic: "M4 20V10h4v10zm6 0V4h4v16zm6 0v-7h4v7z",
  authors: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-8 8c0-4 4-6 8-6s8 2 8 6z",
  imports: "M11 4h2v9l3-3 1.4 1.4L12 17l-5.4-5.6L8 10l3 3zM5 19h14v2H5z",
  audit: "M4 5h16v2H4zm0 6h16v2H4zm0 6h10v2H4z",
} as const

export type IconName = keyof typeof paths

export const Icon = ({ name }: { name: IconName }) => (
  <svg class={`icon icon-${name}`} viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)
