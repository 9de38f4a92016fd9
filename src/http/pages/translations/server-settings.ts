const en = {
  title: "Server settings",
  intro:
    "Settings are environment variables. Restart the server to change one. Secrets are not shown.",
  name: "Setting",
  value: "Value",
  origin: "Source",
  origins: { environment: "environment", file: "a file", default: "default" },
  file: (path: string) => `file ${path}`,
}

const tr: typeof en = {
  title: "Sunucu ayarları",
  intro:
    "Ayarlar ortam değişkenleridir. Birini değiştirmek için sunucuyu yeniden başlatın. Gizli değerler gösterilmez.",
  name: "Ayar",
  value: "Değer",
  origin: "Kaynak",
  origins: { environment: "ortam", file: "dosya", default: "varsayılan" },
  file: (path) => `${path} dosyası`,
}

export const serverSettings = { en, tr }
