// Loaded before all else by each Node under Wine: makes up for what Wine has and Windows has not.
const fs = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')
const { Socket } = require('node:net')

// Wine refuses to connect a socket for which keep-alive was asked before, as the fetch of Node does
const { setKeepAlive } = Socket.prototype
Socket.prototype.setKeepAlive = function (...options) {
  return this.connecting ? this : setKeepAlive.apply(this, options)
}

// Wine does not tell the final name of a file whose path is longer than 260 characters; all else works with those
const { realpath } = fs.promises
fs.promises.realpath = (path, ...options) =>
  realpath(path, ...options).catch((error) => {
    if (error.code !== 'UNKNOWN' || String(path).length <= 260) throw error
    return fs.realpathSync(path)
  })
syncBuiltinESMExports()
