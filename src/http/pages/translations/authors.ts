import { text } from "./text.ts"

export const authors = {
  title: text("Authors", "Yazarlar"),
  search: text("Name, e-mail or username", "Ad, e-posta veya kullanıcı adı"),
  none: text(
    "No authors yet. Import them with “pazar import FILE”.",
    "Henüz yazar yok. “pazar import DOSYA” ile içe aktarın.",
  ),
  author: text("Author", "Yazar"),
  active: text("Active", "Etkin"),
  invited: text("Invited", "Davetli"),
  noPassword: text("No password", "Parolası yok"),
  suspended: text("Suspended", "Askıda"),
  requests: text("Requests, 7 days", "İstek (7 gün)"),
  suspendedByShop: text("Suspended by import", "İçe aktarma askıya aldı"),
  suspendedByOperator: text("Suspended by an operator", "Bir yönetici askıya aldı"),
  lastSeen: text("Last active", "Son etkinlik"),
}
