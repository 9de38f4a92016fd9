const en = {
  title: "Authors",
  search: "Name, e-mail or username",
  none: "No authors yet. Import them with “pazar import FILE”.",
  author: "Author",
  active: "Active",
  invited: "Invited",
  noPassword: "No password",
  suspended: "Suspended",
  requests: "Requests, 7 days",
  suspendedByShop: "Suspended by import",
  suspendedByOperator: "Suspended by an operator",
  lastSeen: "Last active",
}

const tr: typeof en = {
  title: "Yazarlar",
  search: "Ad, e-posta veya kullanıcı adı",
  none: "Henüz yazar yok. “pazar import DOSYA” ile içe aktarın.",
  author: "Yazar",
  active: "Etkin",
  invited: "Davetli",
  noPassword: "Parolası yok",
  suspended: "Askıda",
  requests: "İstek (7 gün)",
  suspendedByShop: "İçe aktarma askıya aldı",
  suspendedByOperator: "Bir yönetici askıya aldı",
  lastSeen: "Son etkinlik",
}

export const authors = { en, tr }
