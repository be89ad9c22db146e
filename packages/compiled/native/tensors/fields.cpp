// Fields of tensors that a record answers for while one is on, as the properties of tensor_fields.py of lamina_tensor say it.
#include "tensors/fields.hpp"

#include <structmember.h>

#include "objects/slots.hpp"
#include "tensors/tensors.hpp"

namespace lamina {
namespace {

struct Field {
    PyObject_HEAD
    PyTypeObject* owner;
    Py_ssize_t offset;
    PyObject* property;
};

PyTypeObject FieldType = {PyVarObject_HEAD_INIT(nullptr, 0) "lamina_compiled.Field"};

Field* as_field(PyObject* object) { return reinterpret_cast<Field*>(object); }

// 1 where the property has to answer; -1 with an exception set.
int recorded() {
    const int flags = flags_on();
    return flags < 0 ? -1 : (flags & kRecord) != 0;
}

PyObject* get(PyObject* self, PyObject* instance, PyObject* owner) {
    if (instance == nullptr || instance == Py_None) return Py_NewRef(self);
    Field* field = as_field(self);
    const int asked = recorded();
    if (asked < 0) return nullptr;
    if (asked == 0 && is_a(instance, field->owner)) {
        PyObject* value = at(instance, field->offset);
        if (value != nullptr) return Py_NewRef(value);
    }
    return Py_TYPE(field->property)->tp_descr_get(field->property, instance, owner);
}

int set(PyObject* self, PyObject* instance, PyObject* value) {
    Field* field = as_field(self);
    const int asked = recorded();
    if (asked < 0) return -1;
    if (asked == 0 && value != nullptr && is_a(instance, field->owner)) {
        Py_XSETREF(at(instance, field->offset), Py_NewRef(value));
        return 0;
    }
    return Py_TYPE(field->property)->tp_descr_set(field->property, instance, value);
}

PyObject* documentation(PyObject* self, void*) { return PyObject_GetAttrString(as_field(self)->property, "__doc__"); }

void deallocate(PyObject* self) {
    Py_DECREF(as_field(self)->property);
    Py_DECREF(as_field(self)->owner);
    PyObject_Free(self);
}

PyGetSetDef getset[] = {{"__doc__", documentation, nullptr, nullptr, nullptr}, {}};

}  // namespace

PyObject* field(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 2 || !Py_IS_TYPE(arguments[0], &PyMemberDescr_Type) || !Py_IS_TYPE(arguments[1], &PyProperty_Type)) {
        PyErr_SetString(PyExc_TypeError, "field: it wants a slot and a property");
        return nullptr;
    }
    auto* slot = reinterpret_cast<PyMemberDescrObject*>(arguments[0]);
    Field* made = PyObject_New(Field, &FieldType);
    if (made == nullptr) return nullptr;
    made->owner = reinterpret_cast<PyTypeObject*>(Py_NewRef(reinterpret_cast<PyObject*>(PyDescr_TYPE(slot))));
    made->offset = slot->d_member->offset;
    made->property = Py_NewRef(arguments[1]);
    return reinterpret_cast<PyObject*>(made);
}

int ready_fields() {
    FieldType.tp_basicsize = sizeof(Field);
    FieldType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION;
    FieldType.tp_descr_get = get;
    FieldType.tp_descr_set = set;
    FieldType.tp_dealloc = deallocate;
    FieldType.tp_getset = getset;
    return PyType_Ready(&FieldType);
}

}  // namespace lamina
