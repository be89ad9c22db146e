// The table of the inner loops of fused ops.
#include "loops/fused/attention_rows.hpp"
#include "loops/fused/norm_rows.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {
namespace passes {

template <class T>
constexpr FusedLoops loops_of() {
    return {softmax_gradient<T>, log_softmax_gradient<T>, logsumexp<T>, dot<T>, class_gradient<T>, logsumexp_down<T>,
            class_gradient_down<T>, attention_weights<T>, attention_result<T>, attention_means<T>, attention_gradients<T>, norm<T>, norm_gradient<T>,
            add<T>, add_rows<T>, moments<T>, scale<T>, products<T>, combine<T>, moments_down<T>, scale_down<T>, products_down<T>,
            combine_down<T>};
}

}  // namespace passes

extern const Fused fused = {{passes::loops_of<float>(), passes::loops_of<double>()}};

}  // namespace lamina::LAMINA_ISA
