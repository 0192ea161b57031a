import { Agent, request } from 'node:http'
import { expectEcho, serveRounds } from '../program/rounds.ts'
import { port } from '../program/setting.ts'
import { headersOf, path } from '../wire/http.ts'
import { echoCall } from '../wire/messages.ts'
import { stateless } from '../wire/shapes.ts'

// the limit: node:http with connections kept alive, JSON both ways, and nothing else
const agent = new Agent({ keepAlive: true })

serveRounds(async (text) => {
  const message = echoCall(stateless, 1, text)
  const headers = headersOf({ port, shape: stateless }, message)
  expectEcho(JSON.parse(await post(JSON.stringify(message), headers)).result, text)
})

function post(body: string, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers }, (incoming) => {
      let answer = ''
      incoming.setEncoding('utf8')
      incoming.on('data', (chunk: string) => {
        answer += chunk
      })
      incoming.on('end', () => resolve(answer))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
