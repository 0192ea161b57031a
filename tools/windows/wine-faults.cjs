// Loaded before all else by each Node under Wine: makes up for what Wine has and Windows has not.
const { Socket } = require('node:net')

// Wine refuses to connect a socket for which keep-alive was asked before, as the fetch of Node does
const { setKeepAlive } = Socket.prototype
Socket.prototype.setKeepAlive = function (...options) {
  return this.connecting ? this : setKeepAlive.apply(this, options)
}
