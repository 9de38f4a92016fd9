import { count, formatNumber } from "./plurals.ts"

const en = {
  never: "Never",
  yes: "Yes",
  no: "No",
  copy: "Copy",
  copied: "Copied",
  save: "Save",
  cancel: "Cancel",
  undo: "Undo",
  sendEmail: "Send by e-mail",
  requests: (n: number) => count(n, "request", "requests"),
}

const tr: typeof en = {
  never: "Hiç",
  yes: "Evet",
  no: "Hayır",
  copy: "Kopyala",
  copied: "Kopyalandı",
  save: "Kaydet",
  cancel: "Vazgeç",
  undo: "Geri al",
  sendEmail: "E-postayla gönder",
  requests: (n) => `${formatNumber(n)} istek`,
}

export const words = { en, tr }
