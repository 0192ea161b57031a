/** A program that writes to both streams in turn, bytes that are no text among it, and ends neither with a line. */
import { writeSync } from 'node:fs'

for (let at = 0; at < 50; at++) {
  writeSync(1, `out ${at}\n`)
  writeSync(2, `err ${at}\n`)
}
if (process.argv[2] === 'bytes') writeSync(2, new Uint8Array([0xff, 0x00, 0xfe]))
else writeSync(2, 'err without an end')
writeSync(1, 'out without an end')
