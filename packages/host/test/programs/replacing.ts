/** A server that notes each start with a variable, and declares its updates; `says.json` in its folder has both. */
import { appendFileSync, readFileSync } from 'node:fs'
import { serve, server } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'

const { updates, variable } = JSON.parse(readFileSync('says.json', 'utf8'))
appendFileSync('starts', `${process.env[variable]}\n`)
await serve(server({ name: 'x', version: '1', extensions: [contract({ updates })] }).tool('get_any', {}, () => 'x'))
