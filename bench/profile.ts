import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Contestant, Offer } from './contestants/contestant.ts'
import { loadHttp } from './load/http.ts'
import { openSessions } from './load/sessions.ts'
import { StdioClient } from './load/stdio.ts'
import { connections } from './measure/http-entrants.ts'
import { startHttpServer } from './process/http-server.ts'
import { erasedFile } from './process/places.ts'
import { startProgram } from './process/program.ts'
import { type CpuProfile, type Frame, frameTree, topFrames } from './report/cpu-profile.ts'
import { resultsFolder } from './report/files.ts'
import { flameGraph } from './report/flame.ts'
import { textTable } from './report/table.ts'
import { postOf } from './wire/http.ts'
import { echoCall } from './wire/messages.ts'

const durationMs = 4_000
const inFlight = 64
const text = 'hello to the profiler'

/** Puts a server under load with the profiler on, writes a flame graph, and returns where the time went. */
export async function profile(contestant: Contestant, transport: 'http' | 'stdio'): Promise<string> {
  const offer = contestant[transport]?.[0]
  if (offer === undefined) throw new Error(`Cannot profile ${contestant.name}: it does not serve ${transport}`)
  const folder = mkdtempSync(join(tmpdir(), 'bench-profile-'))
  try {
    const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--import', erasedFile('probe/leave')]
    await (transport === 'http' ? runHttp(offer, flags) : runStdio(offer, flags))
    return report(`${contestant.name} over ${transport}, ${offer.shape.label}`, transport, readProfile(folder))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function runHttp(offer: Offer, flags: readonly string[]): Promise<void> {
  const server = await startHttpServer(offer.program, { flags })
  try {
    const addresses = await openSessions(server.port, offer, connections)
    const requests = addresses.map((address, index) => postOf(address, echoCall(offer.shape, index, text)))
    await loadHttp({ port: server.port, requests, expected: [text], connections, durationMs })
  } finally {
    await server.end('SIGTERM')
  }
}

async function runStdio(offer: Offer, flags: readonly string[]): Promise<void> {
  const server = startProgram(offer.program, { flags, hold: 'pipes' })
  try {
    const client = new StdioClient(server, offer.shape)
    await client.greet()
    await client.run({ durationMs, inFlight, text })
  } finally {
    await server.end('SIGTERM')
  }
}

function readProfile(folder: string): Frame {
  const [file] = readdirSync(folder)
  if (file === undefined) throw new Error('Cannot read the profile: the server wrote none')
  return frameTree(JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile)
}

function report(title: string, transport: string, root: Frame): string {
  const file = join(resultsFolder('profiles'), `flame-${transport}.svg`)
  writeFileSync(file, flameGraph(title, root))
  const top = topFrames(root, 25).map(({ name, share }) => [`${(share * 100).toFixed(1)} %`, name])
  return `${title}\n\n${textTable([['own time', 'function'], ...top])}\n\nFlame graph: ${file}`
}
