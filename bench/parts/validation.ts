/** The most important operation, against all contenders; a quick run compares with the limit only. */
import { type Contender, isMissing, type Missing } from "../contenders/contender.ts"
import { startFastify } from "../contenders/fastify.ts"
import { captureAnswer, startLimit } from "../contenders/limit.ts"
import { filePath, startNginxFile } from "../contenders/nginx.ts"
import { startPazar } from "../contenders/pazar.ts"
import { startPhpFpm } from "../contenders/php-fpm.ts"
import { describeVersions } from "../contenders/versions.ts"
import type { Workload } from "../load/load.ts"
import { fileWorkload, paths, validationWorkload, withConstantAnswer } from "../load/workloads.ts"
import { measureWithWrk } from "../load/wrk.ts"
import type { Cores } from "../processes/processes.ts"
import { type Laps, medianOf, type Racer, race } from "../report/race.ts"
import { type Finding, finding, missingNote, speedFinding } from "../report/report.ts"
import { marketOf, type Part } from "./part.ts"

const targets = [
  {
    name: "limit",
    what: "validation, against the limit",
    target: {
      atLeast: 0.4,
      because:
        "taken apart in an earlier run, of 44 µs beside the limit's 33, 9 were for two rows of SQLite, 9 our program, 18 the runtime's functions that it calls, and 4 wake a generator that sleeps more beside a slower server; where the limit takes 11 µs, 0.55 was measured",
    },
  },
  {
    name: "nginx",
    what: "validation, against nginx serving a file of the same size",
    target: {
      atLeast: 0.19,
      because: "the limit itself is at 0.5 of nginx, and 0.4 of that is 0.2",
    },
  },
  {
    name: "fastify",
    what: "validation, against Fastify",
    target: {
      atLeast: 2,
      because: "the limit itself is at 5.3 of Fastify, and 0.4 of that is 2.1",
    },
  },
  {
    name: "php-fpm",
    what: "validation, against PHP-FPM",
    target: {
      atLeast: 4.3,
      because: "the limit itself is at 11 of PHP-FPM, and 0.4 of that is 4.4",
    },
  },
]

export const validation: Part = {
  name: "validation",
  title: "Validating a purchase",
  async run({ options, cores, rounds, sqliteStore }) {
    const store = await sqliteStore(marketOf(options.purchases))
    const workload = validationWorkload(store)
    const racers: Racer[] = []
    const notes: string[] = []
    const enter = (contender: Contender | Missing, workload: Workload) => {
      if (isMissing(contender)) notes.push(missingNote(contender.name, contender.missing))
      else racers.push({ contender, workload })
    }
    try {
      const pazar = await startPazar(store, cores.server)
      enter(pazar, workload)
      const answer = await captureAnswer(pazar.port, workload)
      const body = answer.body ?? ""
      const limit = await startLimit(paths.validation, answer, cores.server)
      enter(limit, withConstantAnswer(workload, body))
      if (!options.isQuick) {
        enter(await startNginxFile(body, cores.server), fileWorkload(filePath, body))
        enter(await startFastify(store, cores.server), workload)
        enter(await startPhpFpm(store, cores.server), workload)
      }
      const laps = await race(racers, { ...rounds, rounds: 2 * rounds.rounds })
      notes.push(...laps.filter(({ name }) => name === "limit").map(describeGenerator))
      if (!options.isQuick) {
        notes.push(await describeWrk(limit.port, workload, cores.load), `${describeVersions()}.`)
      }
      return { findings: compare(laps, options.isQuick), laps, notes }
    } finally {
      await Promise.all(racers.map(({ contender }) => contender.stop()))
    }
  },
}

function compare(laps: readonly Laps[], isQuick: boolean): readonly Finding[] {
  const [pazar] = laps
  return targets
    .filter(({ name }) => !isQuick || name === "limit")
    .map(({ name, what, target }) => {
      const other = laps.find((one) => one.name === name)
      if (pazar === undefined || other === undefined) return finding(what, target, "×", null)
      return speedFinding(what, target, pazar, other)
    })
}

function describeGenerator(limit: Laps): string {
  const [rate, share] = [medianOf(limit, "rates"), medianOf(limit, "loadShares")]
  const micros = (share / rate) * 1e6
  return `The generator takes ${micros.toFixed(1)} µs of its core a request, so it could follow up to ${Math.round(1e6 / micros)} requests a second; the limit answered ${Math.round(rate)}.`
}

async function describeWrk(port: number, workload: Workload, cores: Cores): Promise<string> {
  const rate = await measureWithWrk(port, workload, cores)
  return rate === null
    ? missingNote("wrk", "the generator was not checked against another one")
    : `wrk, right afterwards and without looking at the answers, got ${Math.round(rate)} requests a second from the limit.`
}
