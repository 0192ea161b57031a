import { connect } from '@trunkline/mcp'
import { tasks } from '@trunkline/mcp/tasks'
import { expectEcho, serveRounds } from '../program/rounds.ts'
import { defined } from './definition.ts'

const connection = await connect(defined([tasks()]))

serveRounds(async (text) => expectEcho(await connection.tools.call('echo', { text }), text))
