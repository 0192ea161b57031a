/** Readers that were written by hand: whatever they read, it takes time in proportion to its length. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseChallenges } from '../../src/auth/shared/parse-challenge.ts'
import { EventParser } from '../../src/transports/http/client/event-parser.ts'
import { accepts } from '../../src/transports/http/media-type.ts'
import { LineSplitter } from '../../src/transports/stdio/line-splitter.ts'
import { readMessages } from '../../src/wire/read-messages.ts'

const length = 65_536
// the clock of a process ticks in steps of some milliseconds
const tickMicros = 100_000

/** A text as it may arrive, in many small pieces. */
function* pieces(text: string): Generator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 64) yield bytes.subarray(at, at + 64)
}

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  EventParser(text) {
    const parser = new EventParser(() => {})
    for (const piece of pieces(text)) parser.push(piece)
  },
  Lines(text) {
    const lines = new LineSplitter({ line: () => {}, undecodable: () => {}, tooLong: () => {} })
    for (const piece of pieces(text)) lines.push(piece)
  },
  readMessages: (text) => readMessages(text),
  accepts: (text) => accepts(text, 'application/json'),
  parseChallenges: (text) => parseChallenges(text),
}
const fillings = [
  ...['a', ' ', '\t', '\n', '\r', '\r\n', ':', 'data\n', 'data:\n', 'data: a\n', 'id: 1\n\n', ': \n', 'a:'],
  ...['"', '\\', '\\"', '[', '{', '[]', ',', '[1,', '{"a":', '"a":1,', '\\u0041', '0', '-', '1e1'],
  ...['=', 'a=', 'a="', 'a=b,', 'a ', 'Bearer ', ';', ';q=0', 'a/b,', '*/*;', 'é', '\u{1f600}'],
]
const starts = ['', '{"jsonrpc":"2.0","id":1,"method":"', 'data: ', 'Bearer realm="', 'application/json;']

for (const [name, read] of Object.entries(readers)) {
  test(`${name}: nothing takes more than its length to read`, () => {
    const cost = (text: string): number => {
      const before = process.cpuUsage()
      read(text)
      return process.cpuUsage(before).user
    }
    const harmless = cost('x'.repeat(length))
    for (const filling of fillings) {
      for (const start of starts) {
        const text = start + filling.repeat(length / filling.length)
        const most = 20 * harmless + tickMicros
        let taken = cost(text)
        // other work of the process, such as collecting garbage, falls into one measurement and not into three
        for (let again = 0; taken > most && again < 2; again += 1) taken = cost(text)
        assert.ok(taken <= most, `${text.slice(0, 60)} took ${taken}, not ${harmless}`)
      }
    }
  })
}
