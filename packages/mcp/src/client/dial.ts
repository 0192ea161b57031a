import type { Channel } from '../rpc/channel.ts'

/** Opens a channel to the server; called again when the first one closes during negotiation. */
export type Dial = () => Channel | Promise<Channel>
