import { filled, text } from "./text.ts"

export const serverSettings = {
  title: text("Server settings", "Sunucu ayarları"),
  intro: text(
    "Settings are environment variables. Restart the server to change one. Secrets are not shown.",
    "Ayarlar ortam değişkenleridir. Birini değiştirmek için sunucuyu yeniden başlatın. Gizli değerler gösterilmez.",
  ),
  name: text("Setting", "Ayar"),
  value: text("Value", "Değer"),
  origin: text("Source", "Kaynak"),
  origins: {
    environment: text("environment", "ortam"),
    file: text("a file", "dosya"),
    default: text("default", "varsayılan"),
  },
  file: filled("file {path}", "{path} dosyası"),
}
