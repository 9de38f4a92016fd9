import { counted, text } from "./text.ts"

export const words = {
  never: text("Never", "Hiç"),
  yes: text("Yes", "Evet"),
  no: text("No", "Hayır"),
  copy: text("Copy", "Kopyala"),
  copied: text("Copied", "Kopyalandı"),
  save: text("Save", "Kaydet"),
  cancel: text("Cancel", "Vazgeç"),
  undo: text("Undo", "Geri al"),
  sendEmail: text("Send by e-mail", "E-postayla gönder"),
  requests: counted("request", "requests", "istek"),
}
