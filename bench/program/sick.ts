/** A server that does not do what it should, in the way that its argument names. */
const [, , way] = process.argv

if (way === 'crashes') process.exit(1)
// a server that hangs reads and never answers
process.stdin.resume()
if (way === 'floods') {
  const notice = JSON.stringify({
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'error', data: 'x'.repeat(200) },
  })
  // ten thousand lines a second on each stream, and no answer
  setInterval(() => {
    process.stdout.write(`${notice}\n`.repeat(100))
    process.stderr.write(`${'y'.repeat(200)}\n`.repeat(100))
  }, 10)
}
