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
  toStatus: "Go to the home page",
  home: "Home",
  data: "Data",
  logs: "Logs",
  general: "General",
  theme: { title: "Theme", system: "System", light: "Light", dark: "Dark" },
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
  toStatus: "Ana sayfaya git",
  home: "Ana sayfa",
  data: "Veri",
  logs: "Kayıtlar",
  general: "Genel",
  theme: { title: "Tema", system: "Sistem", light: "Açık", dark: "Koyu" },
}

export const navigation = { en, tr }
