/**
 * The limit of a gateway: it passes lines between `node:http` and the server's pipe, under ids of its own, and checks nothing.
 * With `RECORD=1` it also writes what the host records of a call that only reads: a line in a chain of hashes, and the
 * payloads beside it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { hash, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { port } from '../program/setting.ts'
import { upstreamProgram } from '../program/upstream.ts'

interface Message {
  id: unknown
  readonly params?: { readonly arguments?: object }
  readonly result?: object
}

interface Waiting {
  readonly id: unknown
  readonly response: ServerResponse
  readonly given: object | undefined
}

interface Ended {
  readonly waiting: Waiting
  readonly answer: Message
}

const server = spawn(process.execPath, [upstreamProgram], { stdio: ['pipe', 'pipe', 'inherit'] })
// no Map: what comes and goes in one is kept by V8 until the next full collection
const waiting: { [id: number]: Waiting } = {}
const arrived: (readonly [IncomingMessage, ServerResponse])[] = []
const ended: Ended[] = []
const write = process.env.RECORD === '1' ? recorder() : (): void => {}
let next = 0

createServer((request, response) => {
  if (arrived.push([request, response]) === 1) setImmediate(passTurn)
}).listen(port, '127.0.0.1')
readLines(server, (line) => {
  const answer: Message = JSON.parse(line)
  const id = Number(answer.id)
  const one = waiting[id]
  if (one === undefined) return
  delete waiting[id]
  if (ended.push({ waiting: one, answer }) === 1) setImmediate(endTurn)
})

function passTurn(): void {
  let lines = ''
  for (const [request, response] of arrived.splice(0)) {
    if (request.complete) lines += passed(request.read(), response)
    else passLater(request, response)
  }
  if (lines !== '') server.stdin?.write(lines)
}

/** A body that takes more than one turn to arrive. */
function passLater(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => server.stdin?.write(passed(Buffer.concat(chunks), response)))
}

function passed(body: Buffer, response: ServerResponse): string {
  const message: Message = JSON.parse(body.toString())
  next += 1
  waiting[next] = { id: message.id, response, given: message.params?.arguments }
  message.id = next
  return `${JSON.stringify(message)}\n`
}

function endTurn(): void {
  const all = ended.splice(0)
  write(all)
  for (const { waiting: one, answer } of all) {
    answer.id = one.id
    const text = JSON.stringify(answer)
    const length = Buffer.byteLength(text)
    one.response.writeHead(200, { 'content-type': 'application/json', 'content-length': length })
    one.response.end(text, length === text.length ? 'latin1' : 'utf8')
  }
}

/** Writes what ended in one turn in one transaction, as the host does. */
function recorder(): (all: readonly Ended[]) => void {
  const folder = mkdtempSync(join(tmpdir(), 'bench-relay-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const database = new DatabaseSync(join(folder, 'record.db'))
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  database.exec('PRAGMA wal_autocheckpoint = 1024')
  database.exec(`CREATE TABLE line (number INTEGER PRIMARY KEY, at INTEGER, text TEXT, previous TEXT, hash TEXT, act TEXT);
    CREATE INDEX line_act ON line (act);
    CREATE TABLE payload (line INTEGER PRIMARY KEY, at INTEGER, server TEXT, bytes INTEGER, text TEXT)`)
  const line = database.prepare('INSERT INTO line VALUES (?, ?, ?, ?, ?, ?)')
  const payload = database.prepare('INSERT INTO payload VALUES (?, ?, ?, ?, ?)')
  const [begin, commit] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')]
  let [number, previous] = [0, '']
  return (all) => {
    begin.run()
    const at = Date.now()
    for (const { waiting: one, answer } of all) {
      const act = `${at.toString(16)}-${randomUUID()}`
      const [given, result] = [JSON.stringify(one.given), JSON.stringify(answer.result)]
      const both = `{"arguments":${given},"result":${result}}`
      number += 1
      payload.run(number, at, 'bench', both.length, both)
      const digests = { given: hash('sha256', given), result: hash('sha256', result) }
      const text = JSON.stringify({
        kind: 'ended',
        act,
        principal: 'bench',
        server: 'bench',
        target: 'echo',
        ...digests,
      })
      const chained = hash('sha256', `${previous}\n${number}\n${at}\n${text}`)
      line.run(number, at, text, previous, chained, act)
      previous = chained
    }
    commit.run()
  }
}

function readLines({ stdout }: ChildProcess, take: (line: string) => void): void {
  let rest = ''
  stdout?.setEncoding('utf8')
  stdout?.on('data', (chunk: string) => {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  })
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit())
process.once('exit', () => server.kill('SIGKILL'))
