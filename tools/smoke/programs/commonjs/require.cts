import { server } from '@trunkline/mcp'
import { toNode } from '@trunkline/mcp/node'

/** Since 5.8, TypeScript knows that Node loads modules by `require` as well. */
export const app = server({ name: 'commonjs', version: '1.0.0' }).tool('echo', {}, () => 'hi')
export const listener = toNode(app)
