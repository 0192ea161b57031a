import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../failure/failure.ts'
import { acceptServers } from './accept-servers.ts'
import type { HostLink } from './host-link.ts'
import type { ServerSummary } from './show.ts'

const server = { name: 'nope', commandHash: 'x', source: '/home/ann/trunkline.json:3' } as unknown as ServerSummary

const refusing = (message: string) =>
  (() => Promise.reject(new Failure(message, { code: 'Refused', exit: 5 }))) as unknown as HostLink['call']

test('acceptServers: a package that does not exist is to be corrected, not examined by the doctor', async () => {
  const missing = refusing('Cannot install "nope-xyz": the registry has no such package')
  await assert.rejects(acceptServers(missing, [server]), {
    message: 'Cannot install "nope-xyz": the registry has no such package',
    hint: 'Correct the name of the package in /home/ann/trunkline.json:3, or take the server out: trunkline remove nope',
  })
  await assert.rejects(acceptServers(refusing('Cannot install "nope-xyz": no space'), [server]), {
    hint: 'Mend that, then: trunkline accept nope',
  })
  await assert.rejects(acceptServers(refusing('it ended with code 7'), [server]), {
    hint: 'Find out why: trunkline doctor nope',
  })
})
