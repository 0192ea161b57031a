import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pidsIn, socketTo } from './socket-processes.ts'

const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:104D 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1001 1 0 100 0 0 10 0
   1: 0100007F:C350 0100007F:104D 01 00000000:00000000 00:00000000 00000000  1000        0 1002 1 0 20 4 30 10 -1
   2: 0100007F:104D 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 1003 1 0 20 4 30 10 -1
   3: 0100007F:C351 0100007F:104D 06 00000000:00000000 00:00000000 00000000  1000        0 0 1 0 20 4 30 10 -1
`

test('socketTo: the other end of one connection, not this end and not another connection', () => {
  assert.equal(socketTo({ localPort: 0x104d, remotePort: 0xc350 }, table), '1002')
  assert.equal(socketTo({ localPort: 0x104d, remotePort: 0xc352 }, table), undefined)
})

test('socketTo: none where the other end is closed', () => {
  assert.equal(socketTo({ localPort: 0x104d, remotePort: 0xc351 }, table), undefined)
})

test('pidsIn: the processes whose connection has this end', () => {
  const fields = ['p10', 'f3', 'n127.0.0.1:4173->127.0.0.1:50000', 'p11', 'f9', 'n127.0.0.1:50000->127.0.0.1:4173', '']
  assert.deepEqual(pidsIn(fields.join('\n'), ':50000->127.0.0.1:4173'), [11])
})
