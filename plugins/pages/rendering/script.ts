// The only script of a page, for pages with a video or a countdown. It loads a video on click and updates the
// countdown. Without it the video is a link and the countdown a date.

export const script = `for(const link of document.querySelectorAll('a[data-embed]'))link.addEventListener('click',(event)=>{event.preventDefault();const frame=document.createElement('iframe');frame.src=link.dataset.embed;frame.title=link.dataset.title;frame.allow='autoplay; fullscreen; picture-in-picture';frame.referrerPolicy='strict-origin-when-cross-origin';link.replaceWith(frame);frame.focus()});
const clocks=[...document.querySelectorAll('[data-until]')];const two=(n)=>String(n).padStart(2,'0');
const tick=()=>{for(const clock of clocks){const left=Math.max(0,Math.floor((Date.parse(clock.dataset.until)-Date.now())/1000));const days=Math.floor(left/86400);clock.textContent=(days>0?days+' d ':'')+two(Math.floor(left/3600)%24)+':'+two(Math.floor(left/60)%60)+':'+two(left%60)}};
if(clocks.length>0){tick();setInterval(tick,1000)}`;
