import { connect } from '@trunkline/mcp'
import { expectEcho, serveRounds } from '../program/rounds.ts'
import { port } from '../program/setting.ts'
import { path } from '../wire/http.ts'

const connection = await connect(`http://127.0.0.1:${port}${path}`)

serveRounds(async (text) => expectEcho(await connection.tools.call('echo', { text }), text))
