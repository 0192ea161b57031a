import assert from 'node:assert/strict'
import { test } from 'node:test'
import { socketsTo } from './connected-processes.ts'

test('socketsTo: established connections to the port, not from it and not others', () => {
  const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:104D 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1001 1 0 100 0 0 10 0
   1: 0100007F:C350 0100007F:104D 01 00000000:00000000 00:00000000 00000000  1000        0 1002 1 0 20 4 30 10 -1
   2: 0100007F:104D 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 1003 1 0 20 4 30 10 -1
   3: 0100007F:C351 0100007F:104D 06 00000000:00000000 00:00000000 00000000  1000        0 0 1 0 20 4 30 10 -1
`
  assert.deepEqual(socketsTo(0x104d, table), ['1002'])
})
