/** A site below one of these domains is a test site. Domains that also serve finished sites are left out. */

const tunnels = `ngrok.io ngrok.app ngrok.dev ngrok-free.app ngrok-free.dev trycloudflare.com loca.lt
  localtunnel.me localhost.run lhr.life serveo.net pagekite.me expose.dev sharedwithexpose.com devtunnels.ms
  tunnelmole.net pinggy.link localsite.io live-website.com`
/** Names that resolve to private IP addresses. */
const localDns = `nip.io sslip.io xip.io lvh.me localtest.me vcap.me dev.cc lndo.site ddev.site
  docksal.site devilbox.site`
const wordPressSandboxes = `tastewp.com instawp.xyz instawp.co instawp.link wpsandbox.pro s1.wpsandbox.org
  playground.wordpress.net wpdemos.co jurassic.ninja`
/** Default host names of hosting providers, for sites without a domain. */
const providerDefaults = `wpengine.com wpenginepowered.com kinsta.cloud kinsta.com wpcomstaging.com myftpupload.com
  flywheelsites.com flywheelstaging.com getflywheel.com cloudwaysapps.com sg-host.com siteground.biz onrocket.site
  pantheonsite.io mystagingwebsite.com pressdns.com rapydapps.cloud wpstaq.com hostingersite.com bluehoststaging.com
  nxcli.io nexcesscdn.net closte.com easywp.com dreamhosters.com`
const browserEditors = `gitpod.io app.github.dev csb.app codesandbox.io stackblitz.io webcontainer.io cloudshell.dev
  repl.co replit.dev idx.dev`

export const temporaryHosts: readonly string[] = [
  tunnels,
  localDns,
  wordPressSandboxes,
  providerDefaults,
  browserEditors,
].flatMap((hosts) => hosts.split(/\s+/))
