import { text } from "./text.ts"

export const navigation = {
  label: text("Workspace", "Çalışma alanı"),
  settings: text("Settings", "Ayarlar"),
  docs: text("Docs", "Dokümantasyon"),
  signOut: text("Sign out", "Çıkış yap"),
  menu: text("Menu", "Menü"),
  language: text("English", "Türkçe"),
  skip: text("Skip to content", "İçeriğe geç"),
  support: text("Get help", "Yardım iste"),
  console: text("Console", "Konsol"),
  toStatus: text("Go to the home page", "Ana sayfaya git"),
  home: text("Home", "Ana sayfa"),
  data: text("Data", "Veri"),
  logs: text("Logs", "Kayıtlar"),
  general: text("General", "Genel"),
  theme: {
    title: text("Theme", "Tema"),
    system: text("System", "Sistem"),
    light: text("Light", "Açık"),
    dark: text("Dark", "Koyu"),
  },
}
