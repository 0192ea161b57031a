import { StdioClientTransport as V2Transport } from '@modelcontextprotocol/client/stdio'
import { StdioClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Driver } from '../../driver.ts'
import { trunkline } from '../../drivers/trunkline.ts'
import { v1 } from '../../drivers/v1.ts'
import { v2 } from '../../drivers/v2.ts'
import { all, handshakes } from '../../revisions.ts'
import type { Program } from './program.ts'

type Start = (program: Program, revision: string) => Promise<Driver>

const quiet = (program: Program) => ({ ...program, stderr: 'ignore' as const })

/** Every client that can be used against our server, with the revisions it can be held to. */
export const clients: readonly { name: string; start: Start; revisions: readonly string[] }[] = [
  { name: 'v1 client', start: (program) => v1(new V1Transport(quiet(program))), revisions: handshakes },
  { name: 'v2 client', start: (program, revision) => v2(new V2Transport(quiet(program)), revision), revisions: all },
  { name: 'our client', start: trunkline, revisions: all },
]
