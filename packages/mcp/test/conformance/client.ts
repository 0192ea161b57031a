/** A client that does what each scenario of the official conformance suite asks for, with the server at the given URL. */
import { play } from './client/play.ts'
import { ownStart } from './client/start.ts'

await play(ownStart())
