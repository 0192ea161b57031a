/** Has its start played by a resident client, whose port is its first argument, and ends as a client of its own would. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { ownStart } from './start.ts'

const socket = connect(Number(process.argv[2]), '127.0.0.1')
socket.end(JSON.stringify(ownStart()))
const failure = await text(socket)
if (failure !== '') {
  console.error(failure)
  process.exitCode = 1
}
