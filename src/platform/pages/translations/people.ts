import { filled, text } from "./text.ts"

/** The team of an account. */
export const people = {
  title: text("People", "Kişiler"),
  none: text("Nobody signs in to this account yet.", "Bu hesaba henüz kimse giriş yapmıyor."),
  invite: text("Invite a colleague", "Ekip arkadaşı davet et"),
  send: text("Send invitation", "Davet gönder"),
  createLink: text("Create link", "Bağlantı oluştur"),
  link: filled(
    "Send this link to your colleague. It works once, until {when}, and is shown only now.",
    "Bu bağlantıyı ekip arkadaşınıza iletin. {when} tarihine kadar geçerlidir, bir kez kullanılır ve yalnızca şimdi gösterilir.",
  ),
  invited: text("Invitations", "Davetler"),
  withdraw: text("Withdraw", "Geri al"),
  full: filled<[n: number]>(
    "An account can have {n} people and open invitations. Remove one first.",
    "Bir hesapta en çok {n} kişi ve açık davet olabilir. Önce birini kaldırın.",
  ),
  lastOwner: text(
    "An account keeps at least one owner. Make somebody else an owner first.",
    "Bir hesabın en az bir sahibi olmalıdır. Önce başka birini sahip yapın.",
  ),
  role: {
    title: filled("Change the role of {name}?", "{name} için rolü değiştirilsin mi?"),
    text: text(
      "The new role takes effect with the next page that they open.",
      "Yeni rol, bir sonraki sayfada geçerli olur.",
    ),
    submit: text("Change role", "Rolü değiştir"),
  },
  remove: {
    title: filled("Remove {name}?", "{name} kaldırılsın mı?"),
    text: text(
      "They lose access to this workspace immediately. Keys that they created stay valid.",
      "Bu çalışma alanına erişimi hemen sona erer. Oluşturduğu anahtarlar geçerli kalır.",
    ),
    submit: text("Remove", "Kaldır"),
  },
  roles: {
    owner: {
      name: text("Owner", "Sahip"),
      text: text("Everything, including people.", "Kişiler dahil her şeyi yapar."),
    },
    developer: {
      name: text("Developer", "Geliştirici"),
      text: text(
        "Everything except people: keys, webhooks, limits and sales.",
        "Kişiler dışında her şeyi yapar: anahtarlar, webhook'lar, sınırlar ve satışlar.",
      ),
    },
    support: {
      name: text("Support", "Destek"),
      text: text(
        "Reads sales, checks codes, releases sites.",
        "Satışları görür, kod sorgular, site bırakır.",
      ),
    },
  },
}
