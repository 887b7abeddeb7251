/// <reference types="vite/client" />

// For tools that do not read single-file components; vue-tsc does, and takes the component's own types.
declare module '*.vue' {
  import type { DefineComponent } from 'vue';

  const component: DefineComponent;
  export default component;
}
