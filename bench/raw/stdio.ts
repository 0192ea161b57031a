import { answerTo, type RawRequest } from './answers.ts'

// the limit: a line loop that parses, answers and writes, and checks nothing
let rest = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk: string) => {
  const lines = chunk.split('\n')
  lines[0] = rest + lines[0]
  rest = lines.pop() ?? ''
  let answers = ''
  for (const line of lines) {
    const request: RawRequest = JSON.parse(line)
    if (request.id === undefined) continue
    answers += `${JSON.stringify({ jsonrpc: '2.0', id: request.id, result: answerTo(request) })}\n`
  }
  if (answers !== '') process.stdout.write(answers)
})
