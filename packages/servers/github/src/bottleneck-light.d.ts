declare module 'bottleneck/light.js' {
  import Bottleneck from 'bottleneck'
  // biome-ignore lint/style/noDefaultExport: the module has one
  export default Bottleneck
}
