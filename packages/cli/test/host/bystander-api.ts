/** A host as others reach it: a person and a client are each a process that the test did not start, so that neither is the test. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type ApiClient, type ApiTarget, apiClient } from '@trunkline/host/api'
import { programFile } from '../../../../tools/lib/program-file.ts'

const program = programFile(new URL('../fixtures/bystander.ts', import.meta.url))
const opened = new Map<string, Promise<string>>()

/** The API of a host, through a process of its own; a host that is gone refuses as it would otherwise. */
export function bystanderApi(target: ApiTarget): ApiClient {
  const through = async (): Promise<ApiClient> =>
    apiClient({ ...target, url: await bystanderAddress(target.url, 'person') })
  return {
    call: async (name, input) => (await through()).call(name, input),
    async *events(signal, onOpen) {
      yield* (await through()).events(signal, onOpen)
    },
  }
}

/** The address of a process that passes on what it is asked to a host; one for each role, since a caller may not decide. */
export function bystanderAddress(url: string, role: 'person' | 'client'): Promise<string> {
  const key = `${role} ${url}`
  const address = opened.get(key) ?? openBystander(url)
  opened.set(key, address)
  return address
}

async function openBystander(url: string): Promise<string> {
  // the shell ends at once, so that its child descends from nothing here
  const line = 'setsid "$0" "$1" "$2" <&3 3<&- &'
  // its stdin ends with this process; that of the shell itself would end with the shell
  const shell = spawn('sh', ['-c', line, process.execPath, program, url], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  })
  const [, printed, , held] = shell.stdio
  const [port] = await once((printed as Socket).setEncoding('utf8'), 'data')
  for (const stream of [printed, held]) (stream as Socket).unref()
  return `http://127.0.0.1:${Number(port)}/`
}
