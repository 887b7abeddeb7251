import { defineStore } from 'pinia';
import { ref } from 'vue';
import { DEFAULT_BUILTIN } from './builtins';

/** Which experiment the gallery shows; kept while other screens are looked at. */
export const useGallery = defineStore('gallery', () => {
  const chosen = ref(DEFAULT_BUILTIN);
  return { chosen };
});
