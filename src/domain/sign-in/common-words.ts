/** The words that common passwords are made of, in English and Turkish, without accents and capitals. */
import words from "./common-words.txt" with { type: "text" }

const listOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/**
 * Names, places, brands and other words that are used alone, with digits and signs around them. The list is
 * made when a password is first set.
 */
export const singleWords = createOnce(() => listOf(words))

function createOnce<T>(create: () => T): () => T {
  let created: T | null = null
  return () => {
    created ??= create()
    return created
  }
}

/** Used alone, in pairs, or with digits and signs around them. */
export const commonWords = listOf(`
password passwords passwort passord pass passphrase mypassword thepassword yourpassword newpassword oldpassword
nopassword secret topsecret mysecret secure security private access login logon signin welcome letmein letmeinnow
pleaseletmein opensesame abracadabra changeme changethis default temp temporary test tests testing tester
demo sample example admin admins administrator root toor user users username guest manager operator master support
service server system database oracle mysql postgres postgresql wordpress laravel envato themeforest codecanyon
market marketplace author theme themes plugin plugins seller vendor shop store license licence apikey api computer
internet google gmail hotmail yahoo facebook twitter instagram youtube whatsapp samsung nokia iphone android apple
amazon microsoft windows linux ubuntu debian docker github hello helloworld world goodmorning goodbye whatever
nothing something nobody anything idontknow nevermind justdoit trustno trustnoone iloveyou iloveu ilovegod
ilovejesus iloveme iloveyousomuch iloveyouforever loveyou loveyouforever love lover lovely loveme mylove ihateyou
fuckyou fuckoff fuckme asshole bullshit whatthefuck whatthehell sunshine princess prince queen king angel angels
baby babygirl babyboy sweetheart honey sugar cookie chocolate banana orange cherry strawberry cheese pepper ginger
coffee pizza purple yellow silver golden diamond crystal flower flowers butterfly rainbow summer winter spring autumn
january february march april june july august september october november december monday tuesday wednesday thursday
friday saturday sunday dragon monkey tiger lion eagle eagles wolf panther dolphin horse kitty hellokitty puppy bear
superman batman spiderman ironman wonderwoman pokemon pikachu naruto starwars startrek harrypotter lordoftherings
gameofthrones breakingbad matrix ninja samurai warrior hunter killer shadow phantom ghost phoenix thunder lightning
maverick mustang ferrari porsche mercedes corvette camaro harley football footballer baseball basketball soccer
hockey tennis golfer champion winner liverpool arsenal chelsea barcelona realmadrid manchester manchesterunited
juventus bayern yankees cowboys steelers lakers patriots ronaldo cristianoronaldo messi lionelmessi jordan
michaeljordan michaeljackson justinbieber onedirection metallica nirvana slipknot ironmaiden linkinpark bobmarley
minecraft fortnite roblox counterstrike callofduty leagueoflegends worldofwarcraft playstation nintendo xbox
freedom blessed jesus christ jesuschrist god godisgood godisgreat ingodwetrust heaven forever family mother father
mom dad brother sister friend friends bestfriend michael jennifer jessica ashley amanda nicole daniel charlie thomas
george andrew joshua matthew robert anthony william alexander alexandra benjamin christian christopher elizabeth
samantha stephanie victoria michelle melissa patricia richard jonathan sebastian gabriel fernando carlos antonio
correcthorsebatterystaple thequickbrownfox supercalifragilisticexpialidocious theworldisyours qwerty qwertz azerty
asdf asdfgh zxcvbn qazwsx wasd asdasd qweqwe qweasd abc abcd abcdef xyz

pazar pazaryeri sifre sifrem sifreyok sifremyok sifreler sifremiunuttum sifregiriniz sifrenizigirin benimsifrem
yenisifre eskisifre gizlisifre parola parolam parolayok parolami benimparolam yeniparola gizli gizlice anahtar giris
girisyap hesap hesabim kullanici kullaniciadi yonetici yonetim deneme denemesifre gecici merhaba merhabadunya dunya
selam selamlar naber nasilsin hosgeldin hosgeldiniz hosbulduk gunaydin iyigeceler bilgisayar bilmiyorum
hatirlamiyorum unuttum kimseyesoyleme galatasaray galatasarayim fenerbahce fenerbahcem besiktas besiktasim
trabzonspor bursaspor goztepe karsiyaka ankaragucu eskisehirspor samsunspor kocaelispor adanademirspor cimbom
cimbombom ultraslan kanarya karakartal carsi carsiherseyekarsi enbuyukcimbom enbuyukfener enbuyukbesiktas sampiyon
istanbul ankara izmir bursa antalya adana konya trabzon gaziantep kayseri mersin samsun diyarbakir eskisehir sakarya
kocaeli malatya erzurum sivas rize ordu mugla bodrum marmaris kibris karadeniz akdeniz ege anadolu turkiye turkiyem
turkey turk turkler turkum turkish nemutluturkum nemutluturkumdiyene ataturk mustafa kemal mustafakemal
mustafakemalataturk gazimustafakemal cumhuriyet vatan vatanim bayrak istiklal istiklalmarsi osmanli fatih sultan
bozkurt ulkucu kurtlarvadisi polat alemdar polatalemdar recepivedik nasreddinhoca keloglan allah allahim allahbuyuk
allahbuyuktur allahuekber allahbirdir bismillah bismillahirrahmanirrahim elhamdulillah subhanallah masallah insallah
muhammed hzmuhammed islam musluman kuran ramazan seni seviyorum seniseviyorum senicokseviyorum seniseviyorumaskim
sevgi sevgilim askim askimsin askimaskim ask canim canimsin canimbenim canimannem canimbabam canimailem
hayat hayatim hayatguzel hayatguzeldir hayatdevamediyor herseyguzelolacak birtanem bitanem bebegim gulum melek
melegim prenses prensesim kral kralice kralim anne annem baba babam annembabam kardesim abim ablam ailem oglum kizim
aslan aslanim kaplan kartal kurt kedi kedicik kopek balik kelebek papatya cicek gul lale yildiz yildizlar gunes ay
deniz mavi siyah beyaz kirmizi sari lacivert yesil sarikirmizi sarilacivert siyahbeyaz bordomavi karanlik yalniz
yalnizlik umut hayal ruya mutluluk mutluyum okul ogretmen ogrenci doktor muhendis avukat polis asker komando yazar
satici magaza urun alisveris mehmet mehmetcik ahmet ali veli aliveli hasan huseyin ibrahim ismail osman murat emre
burak can cem cenk kerem kaan arda berk yusuf omer suleyman halil recep tayyip hakan serkan volkan gokhan
tolga onur ugur baris savas ayse fatma zeynep elif emine hatice merve esra busra kubra tugba gizem seda sevda ozlem
derya pinar ebru sibel yasemin melisa irem ceren nazli nur gulsah dilara yagmur rabia sumeyye selin asli
`)

/** Whole passwords that no rule finds: walks over a number pad, constants, crossed rows of keys. */
export const commonPatterns = listOf(`
1029384756 0192837465 5647382910 6574839201 1472583690 0147258369 147258369a 7418529630 9638527410 1597534862
1593574862 1593572486 7539514862 1357924680 2468013579 1357908642 0246813579 3141592653 31415926535 314159265358
3141592654 2718281828 1618033988 1123581321 1236987450 7412369850 9517538426 0102030405 0102030405060708 1020304050
102030405060 9080706050 1213141516 1112131415 2021222324 0123698745 1470258369 3692581470 1324354657 qpalzmwoskxn
qpwoeiruty qpwoeirutyalskdjfhg alskdjfhgqpwoeiruty zmxncbvalskdj plokijuhyg plmoknijbuhv mkonjibhuvgy zaq!xsw@cde#
!qaz@wsx#edc qawsedrftg qawsedrftgyh awsedrftgy azsxdcfvgb azsxdcfvgbhn sxdcfvgbhn a2s3d4f5g6 z1x2c3v4b5 1z2x3c4v5b
z1x2c3v4b5n6 1s2d3f4g5h !@#$%^&*() !@#$%^&*()_+ 1!2@3#4$5% 1!q2@w3#e4$r q!w@e#r$t% aqswdefrgt aqzsedrftg
`)
