import { expectEcho, serveRounds } from '../program/rounds.ts'
import { answerTo, type RawRequest } from './answers.ts'

// the limit: both messages go through JSON and nothing else
serveRounds(async (text) => {
  const call = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'echo', arguments: { text } },
  })
  const request: RawRequest = JSON.parse(call)
  const answer = await Promise.resolve(JSON.stringify({ jsonrpc: '2.0', id: request.id, result: answerTo(request) }))
  expectEcho(JSON.parse(answer).result, text)
})
