/** A host as others reach it: a person and a client are each a process that the test did not start, so that neither is the test. */
import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { type ApiClient, type ApiTarget, apiClient } from '@trunkline/host/api'
import { programFile } from '../../../../tools/lib/program-file.ts'

const program = programFile(new URL('../fixtures/bystander.ts', import.meta.url))
const bystanders = new Map<Role, Bystander>()

type Role = 'person' | 'client'

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

/** The address at which a process passes on what it is asked to a host; one process for each role, since a caller may not decide. */
export function bystanderAddress(url: string, role: Role): Promise<string> {
  const bystander = bystanders.get(role) ?? new Bystander(role)
  bystanders.set(role, bystander)
  return bystander.addressFor(url)
}

/** A process that passes requests on to all hosts of this test process, each at a port of its own. */
class Bystander {
  readonly #input: Socket
  readonly #output: Socket
  readonly #ports: AsyncIterator<string>
  readonly #opened = new Map<string, Promise<string>>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(role: Role) {
    // the shell ends at once, so that its child descends from nothing here
    const line = 'setsid "$0" "$@" <&3 3<&- &'
    // a client that has ended may not be connected any more
    const words = [process.execPath, program, ...(role === 'person' ? ['stays'] : [])]
    // its stdin ends with this process; that of the shell itself would end with the shell
    const shell = spawn('sh', ['-c', line, ...words], { stdio: ['ignore', 'pipe', 'inherit', 'pipe'] })
    this.#input = shell.stdio[3] as Socket
    this.#output = shell.stdio[1] as Socket
    this.#ports = createInterface(this.#output)[Symbol.asyncIterator]()
    for (const held of [shell, this.#input, this.#output]) held.unref()
  }

  addressFor(url: string): Promise<string> {
    const address = this.#opened.get(url) ?? this.#last.then(() => this.#open(url))
    this.#opened.set(url, address)
    this.#last = address
    return address
  }

  async #open(url: string): Promise<string> {
    this.#output.ref()
    this.#input.write(`${url}\n`)
    const { value } = await this.#ports.next()
    this.#output.unref()
    return `http://127.0.0.1:${Number(value)}/`
  }
}
