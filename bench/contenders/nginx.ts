/** nginx with one worker: serving one file, or in front of PHP. All other settings are the defaults. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Cores, pickFreePort } from "../processes/processes.ts"
import { dataFolder } from "../processes/program.ts"
import { type Contender, type Missing, startQuietServer } from "./contender.ts"

export const filePath = "/answer.json"

export async function startNginxFile(body: string, cores: Cores): Promise<Contender | Missing> {
  const folder = join(dataFolder, "nginx-file")
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, filePath), body)
  return startNginx("nginx", folder, `root ${folder};`, cores)
}

export async function startNginx(
  name: string,
  folder: string,
  location: string,
  cores: Cores,
): Promise<Contender | Missing> {
  const nginx = findNginx()
  if (nginx === null) return { name, missing: "nginx is not installed" }
  mkdirSync(folder, { recursive: true })
  const port = pickFreePort()
  const path = join(folder, "nginx.conf")
  writeFileSync(path, configuration(folder, port, location))
  const command = [nginx, "-e", join(folder, "error.log"), "-p", folder, "-c", path]
  return startQuietServer({ name, command, settings: {}, cores }, port)
}

/** Distributions keep it outside an ordinary user's path. */
export const findNginx = () =>
  Bun.which("nginx", { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` })

const configuration = (folder: string, port: number, location: string) => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
${process.getuid?.() === 0 ? "user root;" : ""}
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  default_type application/json;
  keepalive_timeout 300;
  keepalive_requests 1000000000;
  client_body_temp_path ${folder}/body;
  fastcgi_temp_path ${folder}/fastcgi;
  proxy_temp_path ${folder}/proxy;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    location / { ${location} }
  }
}
`
