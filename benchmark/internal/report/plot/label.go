package plot

import (
	"cmp"
	"slices"
)

// spread moves positions apart until neighbours are at least gap apart. It keeps their order and
// stays between low and high, which must have room for all. Each moves as little as the others
// allow: overlapping ones become a block that is centred on the positions that its members want.
func spread(positions []float64, gap, low, high float64) []float64 {
	order := make([]int, len(positions))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(positions[a], positions[b]) })
	var blocks []block
	for _, i := range order {
		blocks = append(blocks, block{members: []int{i}, sum: positions[i]})
		for n := len(blocks); n > 1 && blocks[n-2].bottom(gap, low, high)+gap > blocks[n-1].top(gap, low, high); n-- {
			blocks[n-2] = blocks[n-2].with(blocks[n-1], gap)
			blocks = blocks[:n-1]
		}
	}
	moved := make([]float64, len(positions))
	for _, b := range blocks {
		for k, i := range b.members {
			moved[i] = b.top(gap, low, high) + float64(k)*gap
		}
	}
	return moved
}

// block is a run of labels that touch.
type block struct {
	members []int
	sum     float64 // of the tops that each member wants for the block
}

func (b block) with(next block, gap float64) block {
	shift := float64(len(b.members)) * gap * float64(len(next.members))
	return block{append(b.members, next.members...), b.sum + next.sum - shift}
}

func (b block) top(gap, low, high float64) float64 {
	height := float64(len(b.members)-1) * gap
	return max(low, min(high-height, b.sum/float64(len(b.members))))
}

func (b block) bottom(gap, low, high float64) float64 {
	return b.top(gap, low, high) + float64(len(b.members)-1)*gap
}
