import { IncomingMessage } from '../../../network/node-http.ts'

/**
 * A request that leaves HTTP only where it asks for a WebSocket. Node hands over every request with an `Upgrade` header,
 * once there is a listener for one; a POST that offers HTTP/2 is a POST like any other.
 */
export class UpgradableRequest extends IncomingMessage {
  // not a private field, because Node's constructor sets it before fields exist
  declare private _asksToUpgrade: boolean | null | undefined

  get upgrade(): boolean {
    return this._asksToUpgrade === true && this.method === 'GET' && this.headers.upgrade?.toLowerCase() === 'websocket'
  }

  set upgrade(asks: boolean | null) {
    this._asksToUpgrade = asks
  }
}
