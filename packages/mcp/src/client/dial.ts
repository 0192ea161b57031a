import type { Channel } from '../rpc/channel.ts'

/** Opens a channel to the server; called again when the first one does not survive the opening question. */
export type Dial = () => Channel | Promise<Channel>
