import { connect, server } from '@trunkline/mcp'
import * as client from '@trunkline/mcp/client'
import * as authoring from '@trunkline/mcp/server'
import * as stdio from '@trunkline/mcp/stdio'
import * as testing from '@trunkline/mcp/testing'

/** The types of every entry resolve and say the same as the program does. */
export async function callOnce(): Promise<string> {
  const mcp = await connect(server({ name: 'types', version: '1.0.0' }).tool('echo', {}, () => 'hi'))
  await mcp.close()
  return Object.keys({ ...client, ...authoring, ...stdio, ...testing }).join()
}
