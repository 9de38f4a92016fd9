const en = {
  403: {
    title: "Not allowed",
    text: "The form was sent from another site or was open for too long. Go back, reload the page and try again.",
  },
  404: {
    title: "Not found",
    text: "This page does not exist, or you do not have access to it. Check the URL, or continue here:",
  },
  405: {
    title: "Request not supported",
    text: "This URL does not accept this kind of request. Go back and try again.",
  },
  413: {
    title: "Too large",
    text: "You sent more than this page accepts. Shorten it and try again.",
  },
  421: {
    title: "Wrong host",
    text: "These pages have another URL. Open them from the link that you received.",
  },
  500: {
    title: "Something went wrong",
    text: "The server had an error. Try again in a moment.",
  },
  503: {
    title: "Temporarily unavailable",
    text: "The service cannot respond right now. Try again in a moment.",
  },
  home: "Go to the start page",
  overview: "Go to the overview",
}

const tr: typeof en = {
  403: {
    title: "İzin verilmedi",
    text: "Form başka bir siteden gönderildi ya da çok uzun süre açık kaldı. Geri dönüp sayfayı yenileyin ve yeniden deneyin.",
  },
  404: {
    title: "Bulunamadı",
    text: "Bu sayfa yok ya da erişiminiz yok. URL'yi kontrol edin ya da buradan devam edin:",
  },
  405: {
    title: "Bu istek desteklenmiyor",
    text: "Bu URL bu tür istekleri kabul etmez. Geri dönüp yeniden deneyin.",
  },
  413: {
    title: "Çok büyük",
    text: "Gönderdiğiniz veri bu sayfa için çok büyük. Kısaltıp yeniden deneyin.",
  },
  421: {
    title: "Yanlış sunucu adı",
    text: "Bu sayfaların URL'si başka. Sayfaları size gönderilen bağlantıdan açın.",
  },
  500: {
    title: "Bir hata oluştu",
    text: "Sunucuda bir hata oluştu. Birazdan yeniden deneyin.",
  },
  503: {
    title: "Şu anda kullanılamıyor",
    text: "Hizmet şu anda yanıt veremiyor. Birazdan yeniden deneyin.",
  },
  home: "Ana sayfaya git",
  overview: "Genel bakışa git",
}

export const errors = { en, tr }
