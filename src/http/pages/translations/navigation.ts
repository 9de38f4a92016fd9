const en = {
  label: "Workspace",
  settings: "Settings",
  docs: "Docs",
  signOut: "Sign out",
  menu: "Menu",
  language: "English",
  skip: "Skip to content",
  support: "Get help",
  console: "Console",
  toStatus: "Go to the status",
}

const tr: typeof en = {
  label: "Çalışma alanı",
  settings: "Ayarlar",
  docs: "Dokümantasyon",
  signOut: "Çıkış yap",
  menu: "Menü",
  language: "Türkçe",
  skip: "İçeriğe geç",
  support: "Yardım iste",
  console: "Konsol",
  toStatus: "Durum sayfasına git",
}

export const navigation = { en, tr }
