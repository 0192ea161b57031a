/** A server that writes to stderr, and noise to stdout, in the middle of its work. */
import { writeSync } from 'node:fs'
import { serve, server } from '@trunkline/mcp'

const bothStreams = server({ name: 'both-streams', version: '1.0.0' }).tool('get_answer', {}, () => {
  for (let at = 0; at < 3; at++) {
    writeSync(2, `stderr ${at}\n`)
    writeSync(1, `stdout ${at}\n`)
  }
  writeSync(2, new Uint8Array([0xff, 0x00, 0xfe, 0x0a]))
  writeSync(2, 'without an end')
  return 'the answer'
})

await serve(bothStreams)
