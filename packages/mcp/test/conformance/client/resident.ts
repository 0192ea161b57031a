/** A client that plays scenarios for others, since loading it takes longer than most of them; begins with its address. */
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { play } from './play.ts'

const listening = createServer({ allowHalfOpen: true }, async (socket) => {
  // who asked may be gone, ended by the suite
  socket.on('error', () => socket.destroy())
  const failure = await play(JSON.parse(await text(socket))).then(
    () => '',
    (error: unknown) => inspect(error),
  )
  socket.end(failure)
}).listen(0, '127.0.0.1', () => {
  const address = listening.address()
  if (typeof address === 'object') console.log(`Playing for http://127.0.0.1:${address?.port}`)
})
