import { connect } from '@trunkline/mcp'
import { expectEcho, serveRounds } from '../program/rounds.ts'
import { definition } from './definition.ts'

const connection = await connect(definition)

serveRounds(async (text) => expectEcho(await connection.tools.call('echo', { text }), text))
