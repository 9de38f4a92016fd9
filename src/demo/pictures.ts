/**
 * The pictures of the sample marketplace. Its items name them by this server's address, because the
 * contract wants addresses and the demo works without a network.
 */
const draw = (background: string, shapes: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400" viewBox="0 0 640 400"><rect width="640" height="400" fill="${background}"/>${shapes}</svg>`

const path = (fill: string, d: string) => `<path fill="${fill}" d="${d}"/>`
const line = (stroke: string, width: number, d: string) =>
  `<path fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" d="${d}"/>`
const circle = (fill: string, x: number, y: number, r: number) =>
  `<circle fill="${fill}" cx="${x}" cy="${y}" r="${r}"/>`
const box = (fill: string, x: number, y: number, width: number, height: number) =>
  `<rect fill="${fill}" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>`

const items: Readonly<Record<string, string>> = {
  anadolu: draw(
    "#f6e2c3",
    circle("#e0682f", 320, 180, 96) +
      path("#a8552f", "M0 290Q160 190 320 270T640 240V400H0z") +
      path("#6e3524", "M0 345Q200 265 400 330T640 310V400H0z"),
  ),
  bogazici: draw(
    "#12345c",
    box("#1d4f87", -10, 300, 660, 120) +
      line("#f2b54a", 6, "M0 150Q110 300 200 90Q320 380 440 90Q530 300 640 150") +
      line("#f2b54a", 3, "M240 290v-130M280 290v-66M320 290v-54M360 290v-66M400 290v-130") +
      line("#ffffff", 14, "M200 330V84M440 330V84") +
      line("#ffffff", 8, "M0 290H640"),
  ),
  kilim: draw(
    "#8c1c2b",
    path("#f2c14e", "M320 40 540 200 320 360 100 200z") +
      path("#1f4e5f", "M320 90 470 200 320 310 170 200z") +
      path("#f4e9d8", "M320 140 400 200 320 260 240 200z") +
      path("#8c1c2b", "M320 170 360 200 320 230 280 200z") +
      path("#1f4e5f", "M0 120 100 200 0 280zM640 120 540 200 640 280z"),
  ),
  ney: draw(
    "#2d2219",
    circle("#8a5a2b", 300, 205, 142) +
      circle("#ecd8b2", 300, 205, 124) +
      line("#d0b383", 3, "M220 150q80-60 160 10M230 270q70 40 140-10") +
      line("#d9983f", 26, "M430 40 250 360") +
      line("#2d2219", 11, "M391 109v.1M369 149v.1M347 188v.1M325 227v.1M303 266v.1"),
  ),
  safak: draw(
    "#e8785a",
    path("#3d2f6b", "M0 0H640V120Q320 190 0 120z") +
      circle("#ffd27a", 320, 190, 104) +
      path(
        "#231a44",
        "M0 275h90v-60q30-50 60 0v60h60v-130l8-18 8 18v130h24v-50q70-110 140 0v50h24v-130l8-18 8 18v130h60v-40q24-40 48 0v40h102v20H0z",
      ) +
      box("#43346e", -10, 290, 660, 120) +
      path("#ffffff", "M236 330h168l-22 34H258zM276 304h84v22h-84z"),
  ),
  fatura: draw(
    "#0f766e",
    box("#ffffff", 222, 52, 196, 296) +
      line("#94a3b8", 10, "M252 100h90M252 136h136M252 168h136M252 200h110") +
      line("#0f172a", 12, "M252 250h60") +
      circle("#22c55e", 398, 300, 56) +
      line("#ffffff", 14, "M372 300l18 20 34-40"),
  ),
  lale: draw(
    "#fde4ec",
    line("#2f9e44", 14, "M320 220V370") +
      path(
        "#2f9e44",
        "M320 360Q220 330 210 250q90 20 110 110zM320 360q100-30 110-110-90 20-110 110z",
      ) +
      path("#c2255c", "M240 70q40 30 80-30 40 60 80 30 30 190-80 190T240 70z") +
      path("#e64980", "M320 40q60 110 0 220-60-110 0-220z"),
  ),
  northlight: draw(
    "#0b1026",
    path("#34d399", "M120 300Q180 40 300 90t220-40q-60 90-180 100T260 320z") +
      path("#818cf8", "M220 310q20-170 130-150t180-60q-50 110-150 120t-70 110z") +
      path("#050814", "M0 320l110-60 90 40 130-80 120 70 90-40 100 50V400H0z") +
      circle("#ffffff", 90, 70, 4) +
      circle("#ffffff", 560, 140, 3) +
      circle("#ffffff", 180, 40, 3),
  ),
  fjord: draw(
    "#e3eff5",
    line(
      "#1b4965",
      12,
      "M190 70h80v60h-80zM190 90h80M360 100a40 40 0 1 0-80 0 40 40 0 0 0 80 0zM320 78v22l16 12M410 130l40-64 40 64zM190 240l26 24 54-60M320 270q-80-50-30-80 22-8 30 16 8-24 30-16 50 30-30 80zM410 210h80M410 240h80M410 270h50M200 340h60l-20-22M260 340l-20 22M300 330v32h40v-32zM308 330q0-24 12-24t12 24M420 330l30 30 40-50",
    ),
  ),
  drift: draw(
    "#15304f",
    line("#7fc8d6", 10, "M0 200q80-140 160 0t160 0 160 0 160 0") +
      line("#4f8fb0", 10, "M0 240q80-90 160 0t160 0 160 0 160 0") +
      line("#345f85", 10, "M0 280q80-60 160 0t160 0 160 0 160 0") +
      circle("#f3e9c9", 320, 110, 48),
  ),
  paper: draw(
    "#ffce5c",
    path("#ffffff", "M150 250 500 80 330 330z") +
      path("#e9ecef", "M150 250 500 80 290 270z") +
      path("#ced4da", "M290 270 330 330 300 345z") +
      path("#f8a13f", "M0 400 150 250 330 330 640 400z"),
  ),
  ledger: draw(
    "#e9eef2",
    box("#2b4c7e", 190, 60, 260, 290) +
      box("#ffffff", 216, 60, 220, 290) +
      line("#c3ccd6", 6, "M240 120h170M240 160h170M240 200h170M240 240h170") +
      line("#2b4c7e", 8, "M360 100v200M240 290h60M380 290h30") +
      circle("#f2b134", 446, 306, 50) +
      line("#8a5a00", 8, "M446 280v52M432 292h22q8 0 8 7t-8 7h-16q-8 0-8 7t8 7h22"),
  ),
  tidal: draw(
    "#0b1f3a",
    line("#1f3f66", 3, "M100 110H540M100 190H540M100 270H540") +
      path("#2563eb", "M100 330q60-150 120-110t110-60 110 30 100-90V330z") +
      path("#2dd4bf", "M100 330q60-70 120-40t110-50 110 40 100-60V330z") +
      circle("#ffffff", 330, 158, 12) +
      line("#ffffff", 4, "M330 158V330"),
  ),
  skerry: draw(
    "#d7e6ee",
    path("#ffffff", "M298 90h44l14 170h-72z") +
      path("#d64545", "M294 140h52l4 40h-60zM290 220h64l3 40h-72z") +
      box("#33475b", 300, 60, 40, 34) +
      path("#5b6b78", "M200 330l60-90 50 30 60-20 90 80z") +
      box("#6fa3bf", -10, 310, 660, 110) +
      line("#ffffff", 5, "M80 350h90M470 345h90M270 370h80"),
  ),
}

const screens: Readonly<Record<string, string>> = {
  article: draw(
    "#ffffff",
    box("#1e293b", 0, 0, 640, 44) +
      box("#e8b071", 60, 80, 520, 130) +
      line("#334155", 14, "M70 244h300") +
      line("#cbd5e1", 8, "M70 280h500M70 308h480M70 336h500M70 364h320"),
  ),
  dashboard: draw(
    "#f1f5f9",
    box("#1e293b", 0, 0, 120, 400) +
      line("#64748b", 10, "M30 60h60M30 100h60M30 140h60M30 180h60") +
      `${[150, 310, 470].map((x) => box("#ffffff", x, 40, 140, 80)).join("")}` +
      box("#ffffff", 150, 150, 460, 210) +
      line("#0d9488", 8, "M180 320l70-60 60 30 80-90 70 40 110-80"),
  ),
  gallery: draw(
    "#ffffff",
    ["#fca5a5", "#fcd34d", "#86efac", "#93c5fd", "#c4b5fd", "#f9a8d4"]
      .map((fill, index) =>
        box(fill, 50 + (index % 3) * 190, 50 + Math.floor(index / 3) * 160, 160, 130),
      )
      .join(""),
  ),
  settings: draw(
    "#f8fafc",
    [60, 140, 220]
      .map((y) => line("#94a3b8", 8, `M120 ${y}h90`) + box("#e2e8f0", 116, y + 16, 400, 40))
      .join("") + box("#0d9488", 116, 318, 120, 42),
  ),
}

/** SVG by its path. */
export const pictures: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...items, ...screens }).map(([name, svg]) => [`/demo/${name}.svg`, svg]),
)
